#include "apply/manifest_form.h"

#include <gtest/gtest.h>

#include <string>

#include "base/strings.h"
#include "schema/builtin.h"
#include "value/json.h"
#include "yaml/read_yaml.h"

namespace smp::apply {
namespace {

std::string Form(const std::string& object) {
  const Document live = *yaml::ParseYaml(object);
  const auto schema = BuiltinSchema();
  return WriteJson(ManifestForm(live, *schema, schema->FindType(*GvkOf(live.root()))).root());
}

TEST(ManifestForm, LacksWhatTheServerAndControllersSet) {
  EXPECT_EQ(
      Form("apiVersion: v1\nkind: ConfigMap\nmetadata: {name: a, uid: u, generation: 2, resourceVersion: '7', "
           "creationTimestamp: x, managedFields: [], ownerReferences: [{uid: u}], finalizers: [f], labels: {a: b}, "
           "annotations: {kubectl.kubernetes.io/last-applied-configuration: x, mine: why}}\ndata: {a: b}\n"),
      R"({"apiVersion":"v1","data":{"a":"b"},"kind":"ConfigMap","metadata":{"annotations":{"mine":"why"},"labels":{"a":"b"},"name":"a"}})");
  EXPECT_EQ(Form("apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: a, annotations: "
                 "{deployment.kubernetes.io/revision: '3'}}\nspec: {replicas: 1}\nstatus: {replicas: 1}\n"),
            R"({"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"a"},"spec":{"replicas":1}})");
}

TEST(ManifestForm, LacksWhatIsAllocatedForEachObject) {
  EXPECT_EQ(
      Form("apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {type: NodePort, clusterIP: 10.0.0.1, "
           "clusterIPs: [10.0.0.1], ipFamilies: [IPv4], ports: [{port: 80, nodePort: 30000}]}\n"),
      R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"ipFamilies":["IPv4"],"ports":[{"port":80}],"type":"NodePort"}})");
  EXPECT_EQ(
      Form("apiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: a}\nspec: {storageClassName: fast, "
           "volumeName: pvc-1}\n"),
      R"({"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"a"},"spec":{"storageClassName":"fast"}})");
}

TEST(ManifestForm, KeepsWhatPeopleChoose) {
  EXPECT_EQ(
      Form("apiVersion: v1\nkind: Service\nmetadata: {name: a}\nspec: {clusterIP: None, clusterIPs: [None]}\n"),
      R"({"apiVersion":"v1","kind":"Service","metadata":{"name":"a"},"spec":{"clusterIP":"None","clusterIPs":["None"]}})");
  EXPECT_EQ(
      Form("apiVersion: v1\nkind: Pod\nmetadata: {name: a}\nspec: {nodeName: n1, serviceAccountName: robot, "
           "tolerations: [{key: k}]}\n"),
      R"({"apiVersion":"v1","kind":"Pod","metadata":{"name":"a"},"spec":{"serviceAccountName":"robot","tolerations":[{"key":"k"}]}})");
}

std::string LeftOut(const std::string& a, const std::string& b) {
  const Document one = *yaml::ParseYaml(a), other = *yaml::ParseYaml(b);
  const auto schema = BuiltinSchema();
  return Join(DifferencesLeftOut(one, other, *schema, schema->FindType(*GvkOf(one.root()))), " ");
}

TEST(ManifestForm, NamesTheDifferencesThatItLeavesOut) {
  const std::string service = "apiVersion: v1\nkind: Service\nmetadata: {name: a";
  EXPECT_EQ(LeftOut(service + ", uid: x}\nspec: {clusterIP: 10.0.0.1, ports: [{port: 80, nodePort: 30000}]}\n",
                    service + ", uid: y, finalizers: [f]}\nspec: {clusterIP: 10.0.0.2, ports: [{port: 80, nodePort: "
                              "30000}]}\n"),
            "finalizers");
  EXPECT_EQ(LeftOut(service + ", ownerReferences: [{uid: x}], finalizers: [f]}\n",
                    service + ", ownerReferences: [{uid: x}], finalizers: [f]}\n"),
            "");
  EXPECT_EQ(LeftOut(service + "}\nspec: {ports: [{port: 80, nodePort: 30000}]}\n",
                    service + "}\nspec: {ports: [{port: 80, nodePort: 30001}]}\n"),
            "nodePort");
}

}  // namespace
}  // namespace smp::apply
