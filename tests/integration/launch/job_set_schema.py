# SPDX-License-Identifier: GPL-3.0-or-later
"""An exported JobSet against the published schema: the models that are generated from the OpenAPI documents of JobSet
and Kubernetes. They drop what they do not know, so a field that does not come back is one that no cluster would heed."""
import sys

import yaml
from kubeflow_trainer_api import models


def lost(given, kept, path=""):
    if isinstance(given, dict):
        for name, value in given.items():
            if not isinstance(kept, dict) or name not in kept:
                yield f"{path}.{name}"
            else:
                yield from lost(value, kept[name], f"{path}.{name}")
    elif isinstance(given, list):
        for number, value in enumerate(given):
            yield from lost(value, kept[number] if number < len(kept) else None, f"{path}[{number}]")


def check(model, document):
    unknown = list(lost(document, model.from_dict(document).to_dict()))
    assert not unknown, f"the schema of {document['kind']} has no {', '.join(unknown)}"


def refused(document):
    """A check that lets everything pass proves nothing: both kinds of mistake must be noticed."""
    pod = document["spec"]["replicatedJobs"][0]["template"]["spec"]["template"]["spec"]
    pod["containers"][0]["volumeMount"] = []
    try:
        check(models.JobsetV1alpha2JobSet, document)
        return False
    except AssertionError:
        del pod["containers"][0]["volumeMount"]
    document["spec"]["replicatedJobs"][0]["replicas"] = "one"
    try:
        check(models.JobsetV1alpha2JobSet, document)
        return False
    except ValueError:
        return True


config, job_set = yaml.safe_load_all(open(sys.argv[1], encoding="utf-8"))
check(models.IoK8sApiCoreV1ConfigMap, config)
check(models.JobsetV1alpha2JobSet, job_set)
assert refused(job_set)
