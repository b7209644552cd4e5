/** The program of `gatehouse edge`. Only that command loads the code of the edge into its own process. */
export async function loadEdgeProgram(): Promise<typeof import('./edge-program.ts').EdgeProgram> {
  const { EdgeProgram } = await import('./edge-program.ts');
  return EdgeProgram;
}
