/**
 * One life: the objects of a story from the first call to the last, on the same runtime that serves them in production,
 * with faults. The same plan produces the same life.
 */
import { nextTurn } from '#work';
import {
  createRuntime,
  MemoryHome,
  type Owner,
  type Runtime,
  runAtClock,
  type Scratch,
  type Simulation,
  type StorageAccess,
} from '#objects';
import { decodeValue } from '#values';
import { Chance, hash } from './chances/chance.ts';
import { type FaultKind, Faults } from './chances/faults.ts';
import { StoryFailure } from './story/failure.ts';
import { LifeWorld, type Stage } from './life-world.ts';
import type { NativeWork } from './surroundings/native-work.ts';
import { Network } from './surroundings/network.ts';
import type { Cast } from './options.ts';
import { Outside } from './surroundings/outside.ts';
import type { SimulationPlan } from './story/simulation-plan.ts';
import type { Rejections } from './surroundings/rejections.ts';
import { lostText } from './chances/losses.ts';
import type { SeededGlobals } from './chances/seeded-globals.ts';
import { SimulatedTime } from './surroundings/simulated-time.ts';
import type { SimulatedTurns } from './surroundings/simulated-turns.ts';
import { StorageWatch } from './story/storage-watch.ts';
import { type Moment, showShort, Timeline } from './story/timeline.ts';

/** A life of a few operations takes a few hundred steps. */
const stepsMax = 50_000;
/** The number of moments at which a fault may occur independently of operations. */
const troublesMax = 10;
const troubleSpacingMs = 60;
const syncMsMax = 12;
const readMsMax = 10;
/** The likelihood that a life has reads from the disk, and that one of its reads is one. */
const coldLikelihood = 0.5;
const lateMsMax = 30_000;
/** Two leases of a cluster. */
const stallMsMax = 10_000;
const fencedLikelihood = 0.5;
const clockForwardMsMax = 3_600_000;
const clockBackMsMax = 60_000;
/** How long to wait, in real time, for something outside of simulated time. */
const escapeMsMax = 500;
/** Work that only passes through Node's event loop takes fewer turns than this. */
const nativeTurns = 16;

export interface LifeParts {
  readonly cast: Cast;
  readonly plan: SimulationPlan;
  readonly scratch: Scratch;
  /** Creates the ids of classes, for a life with these random bytes. */
  readonly idsOf: (randomBytes: (count: number) => Buffer) => Simulation['idsOf'];
  /** Whether to record a timeline. */
  readonly isTold: boolean;
  readonly rejections: Rejections;
  readonly globals: SeededGlobals;
  readonly natives: NativeWork;
  readonly turns: SimulatedTurns;
  /** Called at every step. */
  readonly onStep: () => void;
  /** @internal Tests weaken the promises of a home. */
  readonly createHome?: (parts: ConstructorParameters<typeof MemoryHome>[0]) => MemoryHome;
}

export interface LifeResult {
  readonly failure: StoryFailure | undefined;
  /** The same for every run of the same plan. */
  readonly trace: number;
  readonly steps: readonly number[];
  readonly operations: number;
  readonly commits: number;
  readonly faults: ReadonlyArray<{ readonly name: string; readonly kind: FaultKind }>;
  readonly moments: readonly Moment[];
  /** What the life waited for that the seed does not determine. */
  readonly escapes: ReadonlySet<string>;
}

export class Life implements Stage {
  readonly time: SimulatedTime;
  readonly chance: Chance;
  readonly faults: Faults;
  readonly network: Network;
  readonly outside: Outside;
  readonly timeline: Timeline | undefined;
  readonly stubs = new Map<string, unknown>();
  readonly parts: LifeParts;
  readonly #world: LifeWorld;
  readonly #home: MemoryHome;
  readonly #labels = new Map<Owner, string>();
  readonly #commits = new Map<string, number>();
  readonly #storage: StorageWatch;
  #runtime: Runtime | undefined;
  #alarms = 0;
  #version = 0;
  readonly #escapes = new Set<string>();

  private constructor(parts: LifeParts) {
    const {
      cast,
      plan,
      scratch,
      isTold,
      onStep,
      turns,
      createHome = (given) => new MemoryHome(given),
    } = parts;
    this.parts = parts;
    const chance = new Chance(plan.seed);
    const faults = new Faults({ chance, kinds: cast.faults, allowed: plan.faults });
    const time = new SimulatedTime({
      stepsMax,
      onStep,
      turns,
      drawLateness: () => this.#drawLateness(),
    });
    const timeline = isTold ? new Timeline(() => time.passedMs) : undefined;
    this.chance = chance;
    this.faults = faults;
    this.time = time;
    this.timeline = timeline;
    const onObject: ConstructorParameters<typeof Network>[0]['onObject'] = ({ owner }, label) =>
      void this.#labels.set(owner, label);
    this.network = new Network({ chance, faults, time, timeline, onObject });
    this.outside = new Outside({ chance, faults, time, timeline, answer: cast.outside });
    this.#home = createHome({
      scratch,
      now: () => time.now(),
      sync: (owner) => this.#sync(owner),
      canStall: faults.has('stall'),
      ...(chance.of('cold reads') < coldLikelihood
        ? { read: (owner: string, key: string) => this.#read(owner, key) }
        : {}),
    });
    this.#storage = new StorageWatch((owner) => this.#home.tables.peekAll(owner));
    this.#world = new LifeWorld(this);
  }

  static async live(parts: LifeParts): Promise<LifeResult> {
    const life = new Life(parts);
    parts.globals.use(life.time, life.chance);
    parts.natives.use((what) => life.#escapes.add(what));
    const { stackTraceLimit } = Error;
    // The origins of errors matter only in recorded lives; capturing stacks takes a large part of the time of all
    // others.
    if (!parts.isTold) Error.stackTraceLimit = 0;
    parts.rejections.use((error) =>
      life.timeline?.add('host', `a promise was rejected and nobody looked: ${String(error)}`),
    );
    try {
      return await life.#live();
    } finally {
      Error.stackTraceLimit = stackTraceLimit;
    }
  }

  get runtime(): Runtime {
    return this.#runtime!;
  }

  async #live(): Promise<LifeResult> {
    const { time, timeline } = this;
    const { cast } = this.parts;
    const env: Record<string, unknown> = { ...cast.env };
    const runtime = await createRuntime({
      directory: 'memory',
      classes: cast.versions[0]!,
      env,
      clock: time,
      log: (message, error) =>
        timeline?.add('host', error === undefined ? message : `${message}: ${showShort(error)}`),
      simulation: {
        home: this.#home,
        random: () => this.chance.next('Math.random'),
        defer: time.defer,
        fetch: this.outside.fetch,
        route: this.network.route,
        idsOf: this.parts.idsOf((count) => this.chance.bytes('newUniqueId', count)),
        onAccess: timeline === undefined ? undefined : (access) => this.#noteAccess(access),
      },
    });
    this.#runtime = runtime;
    for (const name of runtime.classNames) env[name] ??= runtime.namespace(name);
    this.#planTroubles();
    const failure = await this.#tell();
    this.#home.crash(new Error('the life is over'), () => 0);
    await runtime.close();
    return {
      failure,
      trace: time.trace,
      steps: this.#world.stepsTaken,
      operations: this.#world.history.length,
      commits: [...this.#commits.values()].reduce((sum, count) => sum + count, 0),
      faults: this.faults.happened,
      moments: timeline?.moments ?? [],
      escapes: this.#escapes,
    };
  }

  /** Runs the story to its end, and checks the result. */
  async #tell(): Promise<StoryFailure | undefined> {
    const { cast } = this.parts;
    let outcome: { readonly failure: StoryFailure | undefined } | undefined;
    const tell = async (): Promise<void> => {
      await cast.story(this.#world);
      await this.#world.settle();
      await cast.invariant?.(this.#world);
      await this.#checkAlarms();
    };
    runAtClock(this.time, tell).then(
      () => (outcome = { failure: undefined }),
      (error: unknown) => (outcome = { failure: StoryFailure.from(error, { isOver: this.faults.isOver }) }),
    );
    const stuck = await this.#drive(() => outcome !== undefined);
    return outcome === undefined ? stuck : outcome.failure;
  }

  /** Lets time pass; returns the failure if the story cannot continue. */
  async #drive(isDone: () => boolean): Promise<StoryFailure | undefined> {
    for (;;) {
      const rest = await this.time.drive(isDone);
      if (rest === 'done') return undefined;
      if (rest === 'endless') return StoryFailure.endless(this.#world.openOperations);
      if (!(await this.#waitOutside(isDone))) return StoryFailure.stuck(this.#world.openOperations);
    }
  }

  /** No simulated work is left: waits for work of Node itself. Returns whether there is more to do. */
  async #waitOutside(isDone: () => boolean): Promise<boolean> {
    const { time } = this;
    const hasNews = (): boolean => isDone() || time.hasWork;
    for (let turn = 0; turn < nativeTurns && !hasNews(); turn++) await nextTurn();
    if (hasNews()) return true;
    const giveUpAt = performance.now() + escapeMsMax;
    while (!hasNews() && performance.now() < giveUpAt) await nextTurn();
    if (hasNews() && this.#escapes.size === 0)
      this.#escapes.add('waited for something outside of simulated time');
    return hasNews();
  }

  /** A value that is not in memory is read from the disk: meanwhile, the input gate admits what it may. */
  #read(owner: string, key: string): Promise<void> | undefined {
    const name = `read of ${key} of ${this.labelOf(owner as Owner)}`;
    const drawn = this.chance.next(name);
    return drawn < coldLikelihood ? this.time.wait((drawn / coldLikelihood) * readMsMax) : undefined;
  }

  /** Commits of one object become durable, or fail. */
  async #sync(owner: Owner): Promise<void> {
    const { chance, faults, time, timeline } = this;
    const label = this.labelOf(owner);
    const number = (this.#commits.get(label) ?? 0) + 1;
    this.#commits.set(label, number);
    const about = hash(label, number);
    const name = (): string => `commit ${number} of ${label}`;
    const crashes = faults.strikes('crash', name, about);
    const isRefused = faults.strikes('diskFull', name, about);
    await time.wait(chance.of('sync', about) * syncMsMax);
    if (crashes) return this.#crash(`stops at ${name()}`);
    if (faults.has('stall')) await this.#home.whenRunning();
    if (isRefused) {
      this.stubs.clear();
      timeline?.add('disk', `is full: ${name()} cannot be written`, { isFault: true });
      throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    }
    timeline?.add(label, `${name()} is on disk`);
  }

  /** The host stops. Of the pending commits, any number may have been stored: the seed determines how many. */
  #crash(what: string): void {
    const { chance, timeline } = this;
    timeline?.add('host', `${what}; another goes on`, { isFault: true });
    const cause = Object.assign(new Error(lostText), {
      retryable: true,
      durableObjectReset: true,
    });
    this.stubs.clear();
    this.#home.crash(cause, (owner, pending) => {
      const kept = chance.whole(`kept of ${this.labelOf(owner)}`, 0, pending);
      timeline?.add(this.labelOf(owner), `${kept} of ${pending} commits on their way are on disk`);
      return kept;
    });
  }

  /** Faults at arbitrary moments, all drawn in advance, so that a story never changes them. */
  #planTroubles(): void {
    const { chance, time } = this;
    let atMs = 0;
    for (let number = 1; number <= troublesMax; number++) {
      atMs += chance.between('trouble', 0, 2 * troubleSpacingMs);
      time.setTimer(time.now() + atMs, () => this.#trouble(`trouble ${number}`));
    }
  }

  #trouble(name: string): void {
    const { chance, faults, time, timeline } = this;
    const versions = this.parts.cast.versions.length;
    switch (chance.whole(`kind of ${name}`, 0, 4)) {
      case 0:
        if (faults.strikes('crash', name)) this.#crash('stops');
        return;
      case 1: {
        if (!faults.strikes('clock', name)) return;
        const drawn = chance.between(name, -1, 1);
        const jumpMs = Math.round(drawn * (drawn < 0 ? clockBackMsMax : clockForwardMsMax));
        timeline?.add('clock', `is set ${jumpMs < 0 ? 'back' : 'forward'} by ${Math.abs(jumpMs)} ms`, {
          isFault: true,
        });
        return time.jump(jumpMs);
      }
      case 2: {
        if (!faults.strikes('deploy', name)) return;
        this.#version = (this.#version + 1) % versions;
        const what = versions === 1 ? 'the same code' : `version ${this.#version + 1}`;
        timeline?.add('host', `deploys ${what}`, { isFault: true });
        this.stubs.clear();
        void this.runtime.replaceClasses(this.parts.cast.versions[this.#version]!);
        return;
      }
      case 3:
        if (faults.strikes('stall', name)) this.#stall(name);
        return;
      default: {
        if (!faults.strikes('evict', name)) return;
        const evicted = this.runtime.putIdleAway();
        if (evicted > 0) timeline?.add('host', `puts ${evicted} idle objects away`, { isFault: true });
      }
    }
  }

  /** The host hangs for a while. Then it continues, or it has been fenced. */
  #stall(name: string): void {
    const { chance, time, timeline } = this;
    timeline?.add('host', 'hangs: nothing leaves it', { isFault: true });
    this.#home.stall();
    const isFenced = chance.next(`fenced ${name}`) < fencedLikelihood;
    const end = (): void => {
      if (isFenced) return this.#crash('was fenced while it hung, and ends what it did');
      timeline?.add('host', 'is back');
      this.#home.resume();
    };
    time.setTimer(time.now() + chance.between(name, 0, stallMsMax), end);
  }

  #drawLateness(): number {
    const name = `alarm ${++this.#alarms}`;
    return this.faults.strikes('lateAlarm', name) ? this.chance.whole(name, 0, lateMsMax) : 0;
  }

  /** Once no more faults occur, an alarm that was due has run, or has failed as often as it may. */
  async #checkAlarms(): Promise<void> {
    for await (const { className, id, time } of this.runtime.alarms()) {
      // An alarm that is running is still set.
      if (time >= this.time.now() - this.parts.cast.settleMs / 2) continue;
      const due = new Date(time).toISOString();
      throw new Error(
        `the alarm of ${className} ${id.name ?? id.toString()} was due at ${due} and has not run`,
      );
    }
  }

  labelOf(owner: Owner): string {
    return this.#labels.get(owner) ?? 'an object';
  }

  #noteAccess(access: StorageAccess): void {
    const { owner, method, args, result } = access;
    const label = this.labelOf(owner);
    const changes = this.#storage.note(access);
    const add = (what: string): void => this.timeline!.add(label, what, { changes });
    const shown = (bytes: unknown): string =>
      bytes instanceof Uint8Array ? showShort(decodeValue(bytes)) : 'nothing';
    const [first, second] = args;
    switch (method) {
      case 'wake':
        if (changes.length > 0) add('starts again with what is on disk');
        return;
      case 'get':
        if (!(result instanceof Promise)) return add(`reads ${String(first)}: ${shown(result)}`);
        return add(`reads ${String(first)}`);
      case 'put':
        return add(`writes ${String(first)} = ${shown(second)}`);
      case 'delete':
        return add(`deletes ${String(first)}`);
      case 'exec':
        return add(
          `runs ${String(first).replaceAll(/\s+/g, ' ').trim()}${(second as unknown[]).length > 0 ? ` with ${showShort(second)}` : ''}`,
        );
      case 'list':
        return add('lists its keys');
      case 'putAll':
        return add('writes what its transaction wrote');
      case 'rollback':
        return add('undoes what its transaction wrote');
      case 'setAlarm':
        if (first === null) return add('has no alarm any more');
        return add(`sets its alarm to ${new Date(first as number).toISOString()}`);
      default:
        return add(`${method} of its storage`);
    }
  }
}
