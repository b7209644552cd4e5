/** Finds the modules of a project with simulations, and the simulations in them. */
import { readdirSync, statSync } from 'node:fs';
import { extname, join, relative, resolve } from 'node:path';
import { DefinedSimulation } from '#simulator';
import { loadSimulatedModule } from '#workers';
import { CommandError, UsageError } from '../command.ts';

export interface FoundSimulation {
  /** The path as the user would type it. */
  readonly file: string;
  /** The name of its export. */
  readonly name: string;
  readonly simulation: DefinedSimulation;
}

const fileName = /\.simulation\.(?:ts|mts|js|mjs|tsx|jsx)$/;
/** A project has a few; more is probably a whole disk by mistake. */
const entriesMax = 100_000;
const testingModule = new URL(`../../../../package/testing${extname(import.meta.url)}`, import.meta.url).href;

export function findSimulationFiles(path: string): string[] {
  const place = resolve(path);
  const stats = statSync(place, { throwIfNoEntry: false });
  if (stats === undefined) throw new UsageError(`there is no file or directory ${path}`);
  if (!stats.isDirectory()) return [place];
  const files: string[] = [];
  const directories = [place];
  for (let seen = 0, next = directories.pop(); next !== undefined; next = directories.pop()) {
    for (const entry of readdirSync(next, { withFileTypes: true })) {
      if (++seen > entriesMax)
        throw new UsageError(`${path} has more than ${entriesMax} files: name a directory in it`);
      if (entry.isDirectory() && entry.name !== 'node_modules' && !entry.name.startsWith('.'))
        directories.push(join(next, entry.name));
      else if (entry.isFile() && fileName.test(entry.name)) files.push(join(next, entry.name));
    }
  }
  if (files.length === 0)
    throw new UsageError(
      `${path} has no simulations: write one as NAME.simulation.ts (docs/build/simulation.md)`,
    );
  return files.toSorted();
}

export async function loadSimulations(file: string): Promise<FoundSimulation[]> {
  const shown = relative(process.cwd(), file);
  let exported: Readonly<Record<string, unknown>>;
  try {
    exported = await loadSimulatedModule(file, { shared: new Map([['gatehouse/testing', testingModule]]) });
  } catch (error) {
    throw new CommandError(`cannot load ${shown}: ${(error as Error).message}`, { cause: error });
  }
  const found = Object.entries(exported).flatMap(([name, simulation]) =>
    simulation instanceof DefinedSimulation ? [{ file: shown, name, simulation }] : [],
  );
  if (found.length > 0) return found;
  throw new CommandError(
    `${shown} exports no simulation: export const name = defineSimulation({ classes }, story), from gatehouse/testing`,
  );
}
