/**
 * The stories of failed simulations, one file for each, in the folder of a project's state. `gatehouse simulate` writes
 * them, and the page of `gatehouse dev` reads them, independently of each other.
 */
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { makeDirectory, writePrivateFile } from '#files';
import { readStory, type SimulationStory, type SimulationStorySummary } from '#contract';

type StoryMoment = SimulationStory['moments'][number];
type StorageChange = NonNullable<StoryMoment['changes']>[number];
type PrintableStory = Omit<SimulationStory, 'id' | 'left_out'>;

/** The limit of a browser: for a longer story, the end. */
const storyMomentsMax = 5_000;
const fileBytesMax = 16 * 1024 * 1024;
const filesMax = 200;
const fileName = /^([0-9a-f]{16})\.json$/;

export class StoryFiles {
  readonly #directory: string;

  /** Next to the state of the project whose configuration is in this directory. */
  constructor(project: string) {
    this.#directory = join(project, '.gatehouse', 'stories');
  }

  /** Replaces the previous story of the same simulation. */
  write(story: PrintableStory): void {
    const id = idOf(story);
    const leftOut = Math.max(0, story.moments.length - storyMomentsMax);
    const moments = [...foldMoments(story.moments.slice(0, leftOut)), ...story.moments.slice(leftOut)];
    const content: SimulationStory = { ...story, id, moments, left_out: leftOut };
    makeDirectory(this.#directory);
    writePrivateFile(this.#pathOf(id), `${JSON.stringify(content)}\n`);
  }

  /** A simulation that no longer fails has no story. */
  remove(simulation: Pick<PrintableStory, 'file' | 'simulation'>): void {
    rmSync(this.#pathOf(idOf(simulation)), { force: true });
  }

  /** Newest first. */
  list(): SimulationStorySummary[] {
    if (!existsSync(this.#directory)) return [];
    const ids = readdirSync(this.#directory).flatMap((name) => fileName.exec(name)?.[1] ?? []);
    return ids
      .slice(0, filesMax)
      .flatMap((id) => this.find(id) ?? [])
      .map(({ id, file, simulation, seed, replay, problem, told_on }) => {
        return { id, file, simulation, seed, replay, problem, told_on };
      })
      .toSorted((a, b) => (a.told_on < b.told_on ? 1 : -1));
  }

  /** Undefined if it does not exist, or if its file is not valid. */
  find(id: string): SimulationStory | undefined {
    const path = this.#pathOf(id);
    try {
      if (statSync(path).size > fileBytesMax) return undefined;
      const story = readStory(JSON.parse(readFileSync(path, 'utf8')));
      return story?.id === id ? story : undefined;
    } catch {
      return undefined;
    }
  }

  #pathOf(id: string): string {
    return join(this.#directory, `${id}.json`);
  }
}

/** One moment for each object, with everything that it has stored at the end. */
function foldMoments(moments: readonly StoryMoment[]): StoryMoment[] {
  const stored = new Map<string, Map<string, StorageChange>>();
  for (const { who, changes = [] } of moments) {
    const ofObject = stored.getOrInsertComputed(who, () => new Map<string, StorageChange>());
    for (const { before: _, ...change } of changes) {
      const place = JSON.stringify([change.kind, change.table, change.key]);
      if (change.after === undefined) ofObject.delete(place);
      else ofObject.set(place, change);
    }
  }
  const at_ms = moments.at(-1)?.at_ms ?? 0;
  return [...stored]
    .filter(([, changes]) => changes.size > 0)
    .map(([who, changes]) => ({
      at_ms,
      who,
      what: 'has stored this before',
      is_fault: false,
      changes: [...changes.values()],
    }));
}

function idOf({ file, simulation }: Pick<PrintableStory, 'file' | 'simulation'>): string {
  return createHash('sha256')
    .update(JSON.stringify([file, simulation]))
    .digest('hex')
    .slice(0, 16);
}
