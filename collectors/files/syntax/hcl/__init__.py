"""HCL, the language of Terraform: parsed, then evaluated as far as files tell."""
