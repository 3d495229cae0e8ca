"""Names of container images, taken apart."""

from __future__ import annotations


def repository_and_tag(reference: str) -> tuple[str, str]:
    """(repository, tag) of a reference: the registry and a digest are cut off, the tag is empty where there is none."""
    name = reference.strip().partition("@")[0]
    head, colon, tag = name.rpartition(":")
    name, tag = (head, tag) if colon and "/" not in tag else (name, "")
    parts = [part for part in name.lower().split("/") if part]
    if len(parts) > 1 and ("." in parts[-2] or ":" in parts[-2] or parts[-2] == "localhost"):
        return parts[-1], tag
    return "/".join(parts[-2:]), tag


DOCKER_HUB = ("", "docker.io", "index.docker.io", "registry-1.docker.io")


def is_of_docker_hub(reference: str) -> bool:
    """Whether an image comes from Docker Hub itself, and not from a registry that may keep what Docker Hub no longer has."""
    head, slash, _ = reference.strip().lower().partition("/")
    registry = head if slash and ("." in head or ":" in head or head == "localhost") else ""
    return registry in DOCKER_HUB
