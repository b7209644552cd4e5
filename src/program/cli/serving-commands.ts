/** The commands that run a program below a watchdog, each loaded on demand, which saves memory. */
import type { ServingCommand } from './configured.ts';

export const servingCommands = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  run: async () => (await import('./commands/run.ts')).runWorkerCommand,
  edge: async () => (await import('./commands/edge.ts')).edgeCommand,
} as const satisfies Readonly<Record<string, () => Promise<ServingCommand>>>;

/** The loader of the command; undefined for any other one. */
export function findServingCommand(name: string | undefined): (() => Promise<ServingCommand>) | undefined {
  return name !== undefined && Object.hasOwn(servingCommands, name)
    ? servingCommands[name as keyof typeof servingCommands]
    : undefined;
}
