/** A reporter of Vitest that writes down what happened to each test, and how long a file took to begin. */
import { writeFileSync } from 'node:fs';

export interface ReportedTest {
  readonly name: string;
  readonly state: string;
  readonly durationMs: number;
  readonly errors: readonly string[];
}

export interface Report {
  readonly files: ReadonlyArray<{
    readonly name: string;
    /** From the end of the file before, or the start of the run, to the first test. */
    readonly startMs: number;
    readonly tests: readonly ReportedTest[];
    readonly errors: readonly string[];
  }>;
  /** Those that belong to no test. */
  readonly errors: readonly string[];
}

interface Failed {
  readonly message?: string;
  readonly cause?: Failed;
}

interface TestCase {
  readonly fullName: string;
  result(): { readonly state: string; readonly errors?: readonly Failed[] };
  diagnostic(): { readonly duration: number } | undefined;
}

interface TestModule {
  readonly relativeModuleId: string;
  readonly children: { allTests(): Iterable<TestCase> };
  errors(): readonly Failed[];
}

export default class GatehouseReporter {
  readonly #started = new Map<string, number>();
  #last = performance.now();

  onTestRunStart(): void {
    this.#last = performance.now();
  }

  onTestModuleStart({ relativeModuleId }: TestModule): void {
    this.#started.set(relativeModuleId, performance.now() - this.#last);
  }

  onTestModuleEnd(): void {
    this.#last = performance.now();
  }

  onTestRunEnd(modules: readonly TestModule[], errors: readonly Failed[]): void {
    const report: Report = {
      files: modules.map((module) => ({
        name: module.relativeModuleId,
        startMs: this.#started.get(module.relativeModuleId) ?? NaN,
        tests: Array.from(module.children.allTests(), (test) => ({
          name: test.fullName,
          state: test.result().state,
          durationMs: test.diagnostic()?.duration ?? 0,
          errors: (test.result().errors ?? []).map(describe),
        })),
        errors: module.errors().map(describe),
      })),
      errors: errors.map(describe),
    };
    writeFileSync(process.env['GATEHOUSE_REPORT']!, JSON.stringify(report));
  }
}

function describe({ message = 'it failed', cause }: Failed): string {
  return cause?.message === undefined ? message : `${message}: ${cause.message}`;
}
