/**
 * Reads everything in a directory while objects are served, and reports what is damaged, and what is referred to but
 * missing. Each turn reads a bounded piece.
 */
import { type Journal, JournalDamageError, noPosition } from '#journal';
import type { Tables } from '#tables';
import { type ObjectEntry, decodeEntry, reserved } from '../ledger/catalogue.ts';
import type { OpenLedgers } from '../ledger/open-ledgers.ts';
import type { Owner } from '../ledger/records.ts';
import type { OnProgress } from '../progress.ts';
import { type Images, ownerText } from '../history/images.ts';
import { surveyHistory } from '../history/survey.ts';

/** What is wrong, and where. */
export interface Damage {
  readonly file: string;
  readonly offset: number;
  readonly problem: string;
}

interface ScrubParts {
  readonly journal: Journal;
  readonly tables: Tables;
  readonly images: Images;
  readonly ledgers: OpenLedgers;
  readonly onProgress: OnProgress | undefined;
}

export async function* scrubDirectory(parts: ScrubParts): AsyncGenerator<Damage> {
  const { journal, tables, images, onProgress } = parts;
  const logBytes = journal.durableEnd - journal.start;
  const total = logBytes + tables.stats().bytesOnDisk + images.measure();
  let done = 0;
  const advance = (step: string) => (bytes: number) => {
    done = Math.min(total, done + bytes);
    onProgress?.({ step, done, total });
  };
  for await (const { file, offset, message } of journal.scrub(advance('checking the log')))
    yield { file, offset, problem: message };
  let isListed = true;
  for await (const damage of tables.scrub(advance('checking the tables'))) {
    isListed = false;
    yield damage;
  }
  yield* images.scrub(advance('checking the images'));
  // Only intact tables list the objects, which is needed to check what each of them requires.
  if (isListed) yield* scrubHistories(parts);
}

async function* scrubHistories({
  journal,
  tables,
  images,
  ledgers,
  onProgress,
}: ScrubParts): AsyncGenerator<Damage> {
  const find = (owner: Owner, entry: ObjectEntry): Promise<Damage[]> =>
    findGaps({ journal, images }, owner, entry);
  let objects = 0;
  for await (const [key, bytes] of tables.iterate(reserved.objects)) {
    const owner = key as Owner;
    const entry = decodeEntry(bytes);
    onProgress?.({ step: 'checking the histories of objects', done: ++objects, total: undefined });
    if (entry.head === noPosition || (await find(owner, entry)).length === 0) continue;
    // A missing file may have been dropped meanwhile by retention: check again while no other work can interleave.
    yield* await ledgers.use(owner, (ledger) =>
      ledger.exclusively(async () => find(owner, (await ledger.settled()).entry)),
    );
  }
}

async function findGaps(
  { journal, images }: Pick<ScrubParts, 'journal' | 'images'>,
  owner: Owner,
  entry: ObjectEntry,
): Promise<Damage[]> {
  const { images: named, gap } = await surveyHistory(journal, { owner, entry });
  const object = ownerText(owner);
  const damages: Damage[] = named
    .filter((image) => !(image.kind === 'base' && image.isGivenBack))
    .filter(({ position, kind }) => !images.has(owner, position, kind))
    .map(({ position, kind }) => ({
      file: images.pathOf(owner, position, kind),
      offset: 0,
      problem: `the file is missing, a ${kind} of object ${object}`,
    }));
  // A broken record was reported already.
  if (gap !== undefined && !(gap.error instanceof JournalDamageError)) {
    damages.push({
      file: journal.directory,
      offset: 0,
      problem: `${gap.error.message}; object ${object} needs it`,
    });
  }
  return damages;
}
