#include "edit/text_writer.h"

#include "edit/block_writer.h"
#include "edit/flow_writer.h"

namespace smp {

namespace {

std::string WriteJsonDocument(const TextTree& tree) {
  const std::string_view text = tree.text;
  const TextNode* old = tree.read_root;
  std::string out(text.substr(0, old->begin));
  if (tree.root == old) {
    AppendFlow(tree, old, DefaultFlowStyle(tree), out);
  } else {
    FlowStyle style = DefaultFlowStyle(tree);
    if (old->is_collection()) {
      style = FlowStyleOf(tree, old, style);
      style.indent.clear();
    }
    out += FlowText(tree.root, style);
  }
  return out.append(text.substr(old->end));
}

}  // namespace

bool IsChanged(const TextTree& tree) { return tree.root != tree.read_root || tree.root->changed; }

std::string WriteText(const TextTree& tree) {
  if (tree.format == DataFormat::kJson) return WriteJsonDocument(tree);
  return WriteYamlDocument(tree).append(std::string_view(tree.text).substr(tree.end));
}

}  // namespace smp
