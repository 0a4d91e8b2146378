"""The commands of tressette."""
