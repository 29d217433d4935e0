// Loaded after tsx, which keeps what it transpiled in the system's temporary directory: the cache outlives one test file,
// while what the tests themselves write is in a directory that goes with it.
process.env.TMPDIR = process.env.VITRINE_TMPDIR;
