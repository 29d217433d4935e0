// Moves the temporary directory of the tests to one that is removed afterwards. It is loaded after tsx, so that tsx caches
// transpiled files in the system's temporary directory, across test files.
process.env.TMPDIR = process.env.VITRINE_TMPDIR;
