"""Texas Hold'em and its relatives: limit and no-limit, two to ten players."""
