/** The commands that run a program below a watchdog, each loaded when it is needed: they are smaller without the others. */
import type { ServingCommand } from './configured.ts';

export const servingCommands = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  run: async () => (await import('./commands/run.ts')).runWorkerCommand,
  edge: async () => (await import('./commands/edge.ts')).edgeCommand,
} as const satisfies Readonly<Record<string, () => Promise<ServingCommand>>>;

/** What loads the command; undefined for every other one. */
export function findServingCommand(name: string | undefined): (() => Promise<ServingCommand>) | undefined {
  return name !== undefined && Object.hasOwn(servingCommands, name)
    ? servingCommands[name as keyof typeof servingCommands]
    : undefined;
}
