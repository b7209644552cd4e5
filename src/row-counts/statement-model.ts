/** All that is worked out about a statement's programs, each part when it is first asked for. */
import { type Balance, findBalances } from './balances.ts';
import { findCountedOps } from './counted-result.ts';
import type { Program } from './explain.ts';
import type { VariableKinds } from './key-kinds.ts';
import { isKnownOpcode } from './opcodes.ts';
import { drawRoutes, type Section, type WeightedPlace } from './route-map.ts';
import { SectionSolver } from './section-solver.ts';
import { talliesFixed } from './tallies.ts';
import { Tallying } from './tallying.ts';
import { type Place, walk } from './walk.ts';

const nestingOpcodes = new Set(['VCreate', 'VDestroy', 'VRename', 'SqlExec', 'ParseSchema']);

export class StatementModel {
  readonly answersCount: boolean;
  /** Every instruction is understood, so that what is proven about the program is true. */
  readonly isUnderstood: boolean;
  /** Statements run inside this one make changes that no instruction of this one counts. */
  readonly hidesChanges: 'none' | 'inner' | 'all';
  /** The places that answer a row. */
  readonly rowPlaces: readonly number[];
  readonly #places: readonly WeightedPlace[];
  readonly #balances: readonly Balance[];
  readonly #solvers = new Map<string, SectionSolver | 'none' | 'tangled'>();

  private constructor(programs: readonly Program[], places: readonly Place[]) {
    const counted = findCountedOps(programs[0]!);
    this.answersCount = counted.size > 0;
    const opcodes = new Set(programs.flat().map(({ opcode }) => opcode));
    this.isUnderstood = opcodes.values().every(isKnownOpcode);
    const nests = !opcodes.isDisjointFrom(nestingOpcodes);
    this.hidesChanges = nests ? 'all' : opcodes.has('VUpdate') ? 'inner' : 'none';
    this.#balances = findBalances(programs, talliesFixed);
    const tallying = new Tallying(programs, counted, this.#balances);
    this.#places = places.map((place) => ({
      answersRow: place.op.opcode === 'ResultRow',
      ways: place.ways.map((way) => ({ to: way.to, weights: tallying.of(place, way) })),
    }));
    this.rowPlaces = this.#places.flatMap(({ answersRow }, index) => (answersRow ? [index] : []));
  }

  /** Undefined for a program that is too large or not one SQLite would make. */
  static build(programs: readonly Program[], variables: VariableKinds): StatementModel | undefined {
    const places = walk(programs, variables);
    return places === undefined || places.length === 0 ? undefined : new StatementModel(programs, places);
  }

  /** `none` if no run has such a section, `tangled` if there are too many ways to go through it. */
  solver(section: Section): SectionSolver | 'none' | 'tangled' {
    const key = JSON.stringify(section);
    let solver = this.#solvers.get(key);
    if (solver === undefined) {
      const map = drawRoutes(this.#places, section);
      // Balances speak of whole runs only.
      const balances = section.kind === 'whole' ? this.#balances : [];
      solver = typeof map === 'string' ? map : new SectionSolver(map, balances);
      this.#solvers.set(key, solver);
    }
    return solver;
  }
}
