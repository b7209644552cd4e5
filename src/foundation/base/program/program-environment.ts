/**
 * The environment of the program when it started. A process that runs deployed code empties its own before it loads
 * that code: variables that the program needs later, for itself or for child processes, are kept here.
 */
export const programEnvironment: NodeJS.ProcessEnv = { ...process.env };
