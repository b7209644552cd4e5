/**
 * The map of a statement, with what each way adds to the tallies, and its solutions: how much a run added to the
 * requested tallies, derived from the known ones. A solution is exact when no other run would fit; otherwise it is the
 * likeliest one.
 */
import { isKnownOpcode, type Bytecode } from './bytecode.ts';
import { Code } from './code.ts';
import { cellsTouchedMax, storesMax } from './limits.ts';
import { evaluate, LinearProgram, negate, shift, type Sum } from './linear-program.ts';
import { drawRoutes, type CountedRoute } from './routes.ts';
import { type Problem, search } from './search.ts';
import { addStoreTallies, findStores, listStoreCases, type Store, talliesEach } from './stores.ts';
import { addTallies, findCounted, priceOf, talliesFixed } from './tallies.ts';
import { end, type ProgramPlace, row, Walk } from './walk.ts';

export type KnownTallies = [tally: number, value: number][];
export type CountAnswer = { readonly value: number; readonly exact: boolean };

/** The possible runs that have ended, or that are suspended on a row. */
interface Flow extends Omit<Problem, 'equations'> {
  /** What a run added to each tally, as a function of how often it took each route. */
  readonly sums: readonly Sum[];
  /** At every junction, inflow equals outflow. */
  readonly program: LinearProgram;
}

export class StatementModel {
  /** The result is a plain `count(*)`. */
  readonly answersCount: boolean;
  /** Every instruction is understood, so that what is proven about the program is true. */
  readonly isUnderstood: boolean;
  /** Statements run inside this one make changes that none of its own instructions counts. */
  readonly hidesChanges: 'none' | 'inner' | 'all';
  readonly #stores: readonly Store[];
  readonly #ways: readonly (readonly CountedRoute[])[];
  readonly #flows = new Map<boolean, Flow | undefined>();

  private constructor(programs: readonly Bytecode[], places: readonly ProgramPlace[]) {
    const counted = findCounted(programs[0]!);
    this.answersCount = counted.size > 0;
    const opcodes = programs.flat().map(({ opcode }) => opcode);
    this.isUnderstood = opcodes.every(isKnownOpcode);
    const nests = opcodes.some((opcode) => /^(VCreate|VDestroy|VRename|SqlExec|ParseSchema)$/.test(opcode));
    this.hidesChanges = nests ? 'all' : opcodes.includes('VUpdate') ? 'inner' : 'none';
    this.#stores = programs.flatMap(findStores).slice(0, storesMax);
    this.#ways = places.map((place, from) =>
      place.ways.map(({ to, via }) => {
        const weights = new Float64Array(talliesFixed + this.#stores.length * talliesEach);
        addTallies(place, via, programs[place.program]!, counted, weights);
        this.#stores.forEach((store, index) =>
          addStoreTallies(store, place.op, via, weights.subarray(talliesFixed + index * talliesEach)),
        );
        return { from, to, weights };
      }),
    );
  }

  /** Undefined for a program that is too large or not one SQLite would generate. */
  static build(programs: readonly Bytecode[]): StatementModel | undefined {
    const places = programs.length > 0 && new Walk(programs.map((program) => new Code(program))).run();
    return !places ? undefined : new StatementModel(programs, places);
  }

  /** The answers for the targets in order; undefined if no run fits the known tallies, or none is found in time. */
  solve(known: KnownTallies, targets: readonly number[], finished: boolean): CountAnswer[] | undefined {
    if (!this.#flows.has(finished)) this.#flows.set(finished, this.#findFlow(finished));
    const flow = this.#flows.get(finished);
    if (flow === undefined) return undefined;
    const equations = known.map(([tally, value]) => shift(flow.sums[tally]!, -value));
    const program = flow.program.copy({ cells: cellsTouchedMax });
    for (const sum of equations) if (program.equate(sum) !== 'optimal') return undefined;
    const fixed = targets.map((target) => program.findFixed(flow.sums[target]!));
    if (fixed.every((value) => value !== undefined)) {
      const areCounts = fixed.every((value) => value > -0.5 && Math.abs(value - Math.round(value)) < 1e-6);
      return areCounts ? fixed.map((value) => ({ value: Math.round(value), exact: true })) : undefined;
    }
    if (program.solve() !== 'optimal') return undefined;
    const problem = { ...flow, equations };
    const found = search(problem, program.copy(), 'best');
    if (found === undefined) return undefined;
    return targets.map((target, index) => {
      const sum = flow.sums[target]!;
      const value = Math.round(evaluate(sum, found.counts));
      // Exact if no other run, with a larger or smaller value, fits as well.
      const isOnly = (): boolean =>
        [shift(sum, -value - 1), shift(negate(sum), value - 1)].every((other) => {
          const part = program.copy();
          part.add(other);
          return search(problem, part, 'first') === undefined;
        });
      return { value, exact: fixed[index] !== undefined || (found.isRun && isOnly()) };
    });
  }

  #findFlow(finished: boolean): Flow | undefined {
    const [stop, goal] = [this.#ways.length, finished ? end : row];
    const ways = this.#ways.map((list) => {
      const open = list.filter(({ to }) => to >= 0 || to === goal);
      return open.map((way) => (way.to === goal ? { ...way, to: stop } : way));
    });
    const routes = drawRoutes([...ways, []], stop);
    if (routes === undefined) return undefined;
    const sumUp = (amount: (route: CountedRoute) => number): Sum => new Float64Array(routes.map(amount));
    const program = LinearProgram.start(sumUp(({ weights }) => priceOf(weights)));
    for (const junction of new Set(routes.slice(1).map(({ from }) => from)))
      program.equate(sumUp(({ from, to }) => Number(to === junction) - Number(from === junction)));
    const sums = Array.from(routes[0]!.weights.keys(), (tally) => sumUp(({ weights }) => weights[tally]!));
    const alternatives = this.#stores.map((store, index) =>
      listStoreCases(store, finished, sums.slice(talliesFixed + index * talliesEach)),
    );
    return { routes, sums, alternatives, program };
  }
}
