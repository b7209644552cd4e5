/**
 * The parts of this room that import most of the others, each loaded on demand: a command that only reads a setting or
 * a ready file would otherwise take longer to load than to run.
 */

export async function loadProgram(): Promise<typeof import('./program.ts').ServeProgram> {
  return (await import('./program.ts')).ServeProgram;
}

export async function loadRunProgram(): Promise<typeof import('./workers/run-program.ts').RunProgram> {
  return (await import('./workers/run-program.ts')).RunProgram;
}

/** Only `gatehouse edge` loads the code of the edge into its own process. */
export async function loadEdgeProgram(): Promise<typeof import('./edge/edge-program.ts').EdgeProgram> {
  return (await import('./edge/edge-program.ts')).EdgeProgram;
}

export function loadDirectoryMoves(): Promise<typeof import('./cluster/move-data.ts')> {
  return import('./cluster/move-data.ts');
}

export function loadOperatorHandlers(): Promise<typeof import('./server-door.ts')> {
  return import('./server-door.ts');
}

export async function loadOwnerRenewal(): Promise<typeof import('./renew-owner.ts').renewOwner> {
  return (await import('./renew-owner.ts')).renewOwner;
}
