/** What a watchdog and the program below it tell each other. */
import type { LogStyle } from '#base';
import type { Ports } from '#server';

/** To a program that starts: what the one before it had, if there was one. */
export interface ProgramSetup {
  readonly before: ProgramFacts | undefined;
}

/** From a program that is ready. */
export interface ProgramFacts {
  readonly ports: Ports;
  /** The watchdog writes its own lines like those of the program. */
  readonly log: LogStyle;
  readonly shutdownGraceMs: number;
}

/** A signal that the watchdog got, for the program. */
export interface PassedSignal {
  readonly signal: NodeJS.Signals;
}
