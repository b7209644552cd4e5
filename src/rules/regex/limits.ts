/** Longest source: four times the longest OWASP pattern, and far beyond the 4,096 characters of an expression. */
export const sourceLengthMax = 65_536;

/** Groups, classes and repetitions inside one another: the limit of Rust's regex, safe for recursion. */
export const nestingMax = 250;

/** Instructions of a compiled pattern. The longest OWASP pattern needs about 10,000. */
export const instructionsMax = 32_768;

/**
 * Instructions that exist only because a counted repetition is unrolled. They can all be active at once, so they bound
 * the work per byte: with 2,048 of them in a row the most hostile value of 128 KiB takes some 150 ms, with many
 * branches in between up to a second.
 */
export const unrolledMax = 2048;

/**
 * The same for the OWASP rules, which an operator installs and which clients cannot send: their largest has 2,150
 * rounds of two.
 */
export const unrolledPcreMax = 8192;

/** Look-arounds in one pattern: each doubles the columns of the automaton's table. */
export const lookAroundsMax = 6;

/** Entries of one automaton's table; a full one restarts from its current state. */
export const tableEntriesMax = 262_144;

/** Instructions of patterns that stay cached without being used: some 20 MB. */
export const cachedSizeMax = 200_000;

/** Approximate memory of all automata of a process. Beyond it, the least recently used ones are dropped. */
export const tableBytesMax = 67_108_864;

/** Memory of an automaton per instruction of its program, and per state besides its row. */
export const bytesPerInstruction = 48;
export const bytesPerState = 240;

/** A table that fills up faster than one state per this many bytes is dropped: the sets are then walked without it. */
export const bytesPerStateMin = 8;

/**
 * Sets are walked as bits if that means at most this many words per instruction: a word costs less than half a step.
 */
export const wordsPerInstructionMax = 2;

/** Steps that V8 may need in the worst case before a value goes to the linear engine: some 100 µs. */
export const nativeStepsMax = 100_000;

/** A pattern whose worst case costs no more steps per byte than this runs in V8 whatever the length. */
export const nativeStepsPerByteMax = 8;

/** Steps of the backtracking engine, the only one without a linear bound, before it gives up: some 20 ms. */
export const backtrackStepsMax = 1_000_000;

/*
 * Costs in steps of some 5 ns, as measured: compiling a pattern for all engines, creating an automaton, adding a state
 * to its table, reading a word of bits, and V8's own steps.
 */
export const stepsPerPattern = 10_000;
export const stepsPerCompiledInstruction = 1_000;
export const stepsPerAutomaton = 20_000;
export const stepsPerInstruction = 130;
export const stepsPerNewState = 150;
export const stepsPerStateInstruction = 12;
export const stepsPerWord = 2;
export const nativeStepsPerStep = 5;

/** Required literals: more alternatives or longer texts do not improve the filter. */
export const literalsMax = 64;
export const literalLengthMax = 32;
