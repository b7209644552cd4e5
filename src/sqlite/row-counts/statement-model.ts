/** All that is worked out about a statement's programs, each part when it is first asked for. */
import { type Balance, findBalances } from './balances.ts';
import { findCountedOps } from './counted-result.ts';
import type { Program } from './explain.ts';
import { drawRoutes, type Section } from './route-map.ts';
import { SectionSolver } from './section-solver.ts';
import { talliesFixed } from './tallies.ts';
import { Tallying } from './tallying.ts';
import { type Place, walk } from './walk.ts';

const nestingOpcodes = new Set(['VCreate', 'VDestroy', 'VRename', 'SqlExec', 'ParseSchema']);

export class StatementModel {
  readonly answersCount: boolean;
  /** Statements run inside this one make changes that no instruction of this one counts. */
  readonly hidesChanges: 'none' | 'inner' | 'all';
  readonly #places: readonly Place[];
  readonly #balances: readonly Balance[];
  readonly #tallying: Tallying;
  readonly #solvers = new Map<string, SectionSolver | undefined>();

  private constructor(programs: readonly Program[], places: readonly Place[]) {
    const counted = findCountedOps(programs[0]!);
    this.answersCount = counted.size > 0;
    const opcodes = new Set(programs.flat().map(({ opcode }) => opcode));
    const nests = !opcodes.isDisjointFrom(nestingOpcodes);
    this.hidesChanges = nests ? 'all' : opcodes.has('VUpdate') ? 'inner' : 'none';
    this.#places = places;
    this.#balances = findBalances(programs, talliesFixed);
    this.#tallying = new Tallying(programs, counted, this.#balances);
  }

  /** Undefined for a program that is too large or not one SQLite would make. */
  static build(
    programs: readonly Program[],
    integerVariables: ReadonlySet<number>,
  ): StatementModel | undefined {
    const places = walk(programs, integerVariables);
    return places === undefined || places.length === 0 ? undefined : new StatementModel(programs, places);
  }

  /** The places that answer a row. */
  get rowPlaces(): number[] {
    return this.#places.flatMap(({ op }, index) => (op.opcode === 'ResultRow' ? [index] : []));
  }

  /** Undefined if no run has such a section. */
  solver(section: Section): SectionSolver | undefined {
    const key = JSON.stringify(section);
    if (!this.#solvers.has(key)) {
      const map = drawRoutes(this.#places, this.#tallying, section);
      // Balances speak of whole runs only.
      const balances = section.kind === 'whole' ? this.#balances : [];
      this.#solvers.set(key, map === undefined ? undefined : new SectionSolver(map, balances));
    }
    return this.#solvers.get(key);
  }
}
