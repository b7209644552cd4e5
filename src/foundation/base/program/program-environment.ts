/**
 * The environment of the program when it started. A process that runs deployed code empties its own before that code is
 * loaded: what the program needs of it later, for itself or for processes that it starts, is kept here.
 */
export const programEnvironment: NodeJS.ProcessEnv = { ...process.env };
