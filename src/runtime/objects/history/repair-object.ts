/**
 * Rebuilds the missing or damaged image files of one object, as far as older images and the log contain their data, and
 * reports what they do not contain. Nothing is deleted: a damaged file stays beside the rebuilt one under another name,
 * and the records are not changed, so that a file found in a backup can still be put back.
 */
import { nextTurn } from '#work';
import { type Journal, type Position, noPosition } from '#journal';
import type { Chronicle } from '../ledger/ledger.ts';
import { type Owner, decodeCommit } from '../ledger/records.ts';
import { ImageDamageError, ImageMissingError, type Images, type PageSource } from './images.ts';
import { isLoss, type ImageSource, Materialiser } from './materialise.ts';
import { type NamedImage, surveyHistory } from './survey.ts';

export interface ObjectRepair {
  readonly file: string;
  readonly problem: string;
  /** `rebuildable`: a repair would rebuild it, but this is a dry run. */
  readonly outcome: 'rebuilt' | 'rebuildable' | 'lost';
  /** What it was rebuilt from, or what can no longer be recovered. */
  readonly detail: string;
}

export interface Repair extends ObjectRepair {
  /** The object that the repair concerns; undefined for what all objects share. */
  readonly object?: { readonly className: string; readonly id: string; readonly name: string | undefined };
}

export interface RepairChoices {
  readonly dryRun: boolean;
  /** Existing images are assumed to be intact, and nothing is read of an object that lacks none. */
  readonly onlyMissing: boolean;
}

interface RepairParts extends RepairChoices {
  readonly journal: Journal;
  readonly images: Images;
}

export async function repairObject(parts: RepairParts, object: Chronicle): Promise<ObjectRepair[]> {
  const { journal, images, dryRun, onlyMissing } = parts;
  const { owner, entry } = object;
  const survey = await surveyHistory(journal, object);
  const isThere = ({ position, kind }: NamedImage): boolean => images.has(owner, position, kind);
  if (onlyMissing && survey.gap === undefined && survey.images.every(isThere)) return [];
  const repairs: ObjectRepair[] = [];
  const whole = new WholeImages(images);
  const materialiser = new Materialiser(journal, whole);
  const wholeSnapshots: Position[] = [];
  for (const image of survey.images) {
    const damage = onlyMissing && isThere(image) ? undefined : await checkImage(images, owner, image);
    if (damage !== undefined && image.kind === 'base' && image.isGivenBack) continue;
    const isMissing = damage instanceof ImageMissingError;
    if (damage === undefined) whole.add(image);
    else {
      const { file, problem } = damage;
      const chain = { owner, snapshots: wholeSnapshots };
      try {
        const source = await sourceOf({ journal, materialiser }, chain, image);
        await readThrough(source);
        if (!dryRun) {
          if (!isMissing) await images.setAside(owner, image.position, image.kind);
          await images.write(owner, image.position, image.kind, source);
        }
        whole.add(image, dryRun ? source : undefined);
        const detail =
          isMissing || dryRun ? 'from the log' : `from the log; the damaged file is ${file}.damaged`;
        repairs.push({ file, problem, outcome: dryRun ? 'rebuildable' : 'rebuilt', detail });
      } catch (error) {
        if (!isLoss(error)) throw error;
        repairs.push({ file, problem, outcome: 'lost', detail: error.message });
        continue;
      }
    }
    if (image.kind === 'snapshot') wholeSnapshots.push(image.position);
  }
  const present = await checkPresent(materialiser, { owner, snapshots: wholeSnapshots }, entry.head);
  if (present !== undefined) {
    const newest = wholeSnapshots.at(-1);
    const detail =
      newest === undefined
        ? 'no state of it can be read'
        : `the newest state that can be read is the one at position ${newest}`;
    repairs.push({
      file: fileOf(present, journal),
      problem: present.message,
      outcome: 'lost',
      detail: `its present state: ${detail}`,
    });
  } else if (survey.gap !== undefined) {
    const { error, position } = survey.gap;
    const detail = `its history at position ${position} and before, except for its snapshots; its present state is whole`;
    repairs.push({ file: fileOf(error, journal), problem: error.message, outcome: 'lost', detail });
  }
  return repairs;
}

/** Images that are intact, or would be after the repair in a dry run. */
class WholeImages implements ImageSource {
  readonly #images: Images;
  readonly #known = new Map<string, PageSource | undefined>();

  constructor(images: Images) {
    this.#images = images;
  }

  add({ kind, position }: NamedImage, source?: PageSource): void {
    this.#known.set(`${kind} ${position}`, source);
  }

  has(_owner: Owner, position: Position, kind: NamedImage['kind']): boolean {
    return this.#known.has(`${kind} ${position}`);
  }

  pageCount(owner: Owner, position: Position, kind: NamedImage['kind']): number {
    return this.#source(owner, position, kind)?.pageCount ?? this.#images.pageCount(owner, position, kind);
  }

  *read(
    owner: Owner,
    position: Position,
    kind: NamedImage['kind'],
  ): Generator<ReadonlyMap<number, Uint8Array>, void> {
    const source = this.#source(owner, position, kind);
    yield* source === undefined ? this.#images.read(owner, position, kind) : source.blocks();
  }

  #source(owner: Owner, position: Position, kind: NamedImage['kind']): PageSource | undefined {
    if (this.has(owner, position, kind)) return this.#known.get(`${kind} ${position}`);
    throw new ImageMissingError(this.#images.pathOf(owner, position, kind));
  }
}

/** What is wrong with an image; undefined if it is intact. */
async function checkImage(
  images: Images,
  owner: Owner,
  { kind, position }: NamedImage,
): Promise<ImageDamageError | undefined> {
  try {
    await images.check(owner, position, kind);
    return undefined;
  } catch (error) {
    if (error instanceof ImageDamageError) return error;
    throw error;
  }
}

async function sourceOf(
  { journal, materialiser }: { journal: Journal; materialiser: Materialiser },
  chain: { owner: Owner; snapshots: readonly Position[] },
  image: NamedImage,
): Promise<PageSource> {
  if (image.kind === 'snapshot') return await materialiser.at(chain, image.position);
  if (image.request === noPosition) throw new ImportLostError();
  const { request } = decodeCommit(journal.read(image.request).payload);
  if (request === undefined) throw new RangeError(`there is no request at position ${image.request}`);
  return await materialiser.at(chain, request.target);
}

/** The log contains a restore, but the imported file is missing. */
class ImportLostError extends RangeError {
  constructor() {
    super('it was imported, and only the imported file had its content. Import the file again');
  }
}

async function checkPresent(
  materialiser: Materialiser,
  chain: { owner: Owner; snapshots: readonly Position[] },
  head: Position,
): Promise<Error | undefined> {
  try {
    await readThrough(await materialiser.at(chain, head));
    return undefined;
  } catch (error) {
    if (isLoss(error)) return error;
    throw error;
  }
}

/** Everything it needs is read while its blocks are. */
async function readThrough(source: PageSource): Promise<void> {
  for (const pages of source.blocks()) {
    void pages;
    await nextTurn();
  }
}

function fileOf(error: Error, journal: Journal): string {
  const { file = journal.directory } = error as { readonly file?: string };
  return file;
}
