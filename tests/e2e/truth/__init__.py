"""The property test of explain-diff: does the server end where the rows say?

slots      places in an object with the values they may have: the grammar that random manifests and edits are made by
kinds      the kinds with their slots
situations one situation: how an object began, what others did to it, and the next manifest
stage      brings many situations about on a server, and asks the tools about them
rows       reads the rows of explain-diff -o json: the object as they say it will be
judge      compares that with the object as it became
owners     who owns a path, by managedFields
ends       whether the last line of the text denies that something is undone
figures    counts by class, floors, and the list of misses

Nothing here shares code with the program, and nothing reads its facts: only what it prints and the server's objects."""
