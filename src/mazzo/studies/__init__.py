"""One module a document: its experiments, its figures beside ours."""
