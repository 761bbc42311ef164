// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/launch/job_set.h"

#include "core/base/text.h"
#include "core/config/resolve.h"

#include <fmt/format.h>

#include <cctype>
#include <set>

namespace roadtune::remote {

namespace fs = std::filesystem;

namespace {

// A double-quoted YAML scalar, whose escapes are JSON's.
std::string quoted(const std::string& text) { return config::toJson(config::Value(text)); }

std::string indented(const std::string& text, std::size_t blanks) {
  std::string result;
  auto lines = split(text, '\n');
  while (!lines.empty() && lines.back().empty()) lines.pop_back();
  for (const auto& line : lines) result += line.empty() ? "\n" : std::string(blanks, ' ') + line + "\n";
  return result;
}

// The folders a pod must see, none inside another.
std::set<std::string> foldersOf(const LaunchPlan& plan) {
  std::set<std::string> all{plan.folder.string()};
  const auto add = [&all](const fs::path& path) { all.insert(path.lexically_normal().string()); };
  add(plan.config.text("model_name_or_path"));
  for (const char* key : {"train_data", "eval_data"})
    for (const auto& source : plan.config.sources(key)) {
      const fs::path path = source.path;
      add(path.has_extension() ? path.parent_path() : path);  // a file's neighbours belong to it: its images
    }
  std::set<std::string> outer;
  for (const auto& folder : all) {
    bool inside = false;
    for (const auto& other : all) inside |= other != folder && startsWith(folder, other + "/");
    if (!inside) outer.insert(folder);
  }
  return outer;
}

std::string mounts(const LaunchPlan& plan) {
  std::string text;
  for (const auto& folder : foldersOf(plan))
    text += fmt::format("                - {{name: storage, mountPath: {}, subPath: {}}}\n", quoted(folder),
                        quoted(folder.substr(folder.find_first_not_of('/'))));
  return text;
}

std::string variables(const LaunchPlan& plan) {
  std::string text;
  for (const auto& [name, value] : plan.environment)
    text += fmt::format("                - {{name: {}, value: {}}}\n", quoted(name), quoted(value));
  return text;
}

std::string podCommand(const LaunchPlan& plan, const std::string& name, int nodes) {
  return fmt::format(
      "mkdir -p \"$RUN/events\" \"$RUN/logs\"\n"
      "cp /etc/roadtune/run.yaml \"$RUN/.run.yaml.$JOB_COMPLETION_INDEX\"\n"
      "mv \"$RUN/.run.yaml.$JOB_COMPLETION_INDEX\" \"$RUN/run.yaml\"\n"
      "exec roadtune-agent --foreground --run \"$RUN\" --node \"$JOB_COMPLETION_INDEX\" --nnodes {} "
      "--nproc-per-node {} --master-addr {} --master-port {} --stall-factor {}\n",
      nodes, plan.ranks.processes, nodes > 1 ? fmt::format("{0}-node-0-0.{0}", name) : "127.0.0.1",
      plan.config.integer("master_port"), plan.supervision.stallFactor);
}

constexpr const char* kManifest =
    R"(# One job of {nodes} x {processes} = {ranks} ranks. Made by roadtune {version}: kubectl apply -f this file.
# The claim "roadtune" holds model, data and runs under their paths; the image holds roadtune-agent and roadtune-train.
apiVersion: v1
kind: ConfigMap
metadata:
  name: {name}
data:
  run.yaml: |
{config}---
apiVersion: jobset.x-k8s.io/v1alpha2
kind: JobSet
metadata:
  name: {name}
spec:
  network:
    enableDNSHostnames: true
    subdomain: {name}
  failurePolicy:
    maxRestarts: {restarts}
  replicatedJobs:
    - name: node
      replicas: 1
      template:
        spec:
          completionMode: Indexed
          parallelism: {nodes}
          completions: {nodes}
          backoffLimit: 0
          template:
            spec:
              restartPolicy: Never
              terminationGracePeriodSeconds: 300
              containers:
              - name: roadtune
                image: {image}
                command: [bash, -ec]
                args:
                - |
{command}                env:
                - {{name: RUN, value: {run}}}
{variables}                ports:
                - {{containerPort: {port}}}
                resources:
                  limits: {{{limits}}}
                volumeMounts:
                - {{name: config, mountPath: /etc/roadtune}}
                - {{name: shm, mountPath: /dev/shm}}
{mounts}              volumes:
              - name: config
                configMap: {{name: {name}}}
              - name: shm
                emptyDir: {{medium: Memory}}
              - name: storage
                persistentVolumeClaim: {{claimName: roadtune}}
)";

}  // namespace

std::string kubernetesName(std::string_view text) {
  std::string name;
  for (const char c : lower(text)) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0;
    if (plain) name += c;
    if (!plain && !name.empty() && name.back() != '-') name += '-';
  }
  name = name.substr(0, 40);
  while (!name.empty() && name.back() == '-') name.pop_back();
  if (name.empty() || std::isdigit(static_cast<unsigned char>(name.front())))
    name = name.empty() ? "run" : "run-" + name;
  return name;
}

Result<std::string> jobSetManifest(const LaunchPlan& plan, const JobExport& wanted) {
  const std::string given = plan.config.text("run_name");
  const std::string name = kubernetesName(given.empty() ? plan.folder.filename().string() : given);
  const bool gpus = plan.config.text("device") != "cpu";
  return fmt::format(
      fmt::runtime(kManifest), fmt::arg("nodes", wanted.nodes), fmt::arg("processes", plan.ranks.processes),
      fmt::arg("ranks", wanted.nodes * plan.ranks.processes), fmt::arg("version", ROADTUNE_VERSION),
      fmt::arg("name", name), fmt::arg("config", indented(config::frozenYaml(plan.document, plan.config), 4)),
      fmt::arg("restarts", plan.config.integer("max_restarts")),
      fmt::arg("image", quoted(wanted.image.empty() ? std::string("roadtune:") + ROADTUNE_VERSION : wanted.image)),
      fmt::arg("command", indented(podCommand(plan, name, wanted.nodes), 18)),
      fmt::arg("run", quoted(plan.folder.string())), fmt::arg("variables", variables(plan)),
      fmt::arg("port", plan.config.integer("master_port")),
      fmt::arg("limits", gpus ? fmt::format("nvidia.com/gpu: {}", plan.ranks.processes) : ""),
      fmt::arg("mounts", mounts(plan)));
}

}  // namespace roadtune::remote
