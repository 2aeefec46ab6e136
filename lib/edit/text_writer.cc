#include "edit/text_writer.h"

#include "edit/block_writer.h"
#include "edit/flow_writer.h"

namespace smp::edit {

namespace {

std::string WriteJsonDocument(DraftDocument& document) {
  const TextTree& tree = *document.tree;
  const TextNode* old = tree.root();
  FlowStyle style = DefaultFlowStyle(tree);
  TextChanges changes;
  if (IsInPlace(document.root)) {
    Slots slots(document);
    RewriteFlow(tree, slots, document.root, style, changes);
  } else {
    if (old->is_collection()) style = FlowStyleOf(tree, old, style);
    style.indent.clear();
    changes.Replace(old->begin, old->end, FlowText(document.root, style));
  }
  return changes.AppliedTo(tree.text);
}

}  // namespace

std::string WriteText(DraftDocument& document) {
  const TextTree& tree = *document.tree;
  if (tree.format == DataFormat::kJson) return WriteJsonDocument(document);
  return WriteYamlDocument(document).append(tree.text, tree.end);
}

}  // namespace smp::edit
