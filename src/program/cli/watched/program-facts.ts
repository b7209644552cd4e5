/** What a watchdog and the program below it tell each other. */
import type { LogStyle } from '#base';
import type { Ports } from '#server';

/** To a program that starts: what the one before it had, if there was one. */
export interface ProgramSetup {
  readonly before: ProgramFacts | undefined;
  /** The names of the sockets that it gets, in their order. */
  readonly sockets: readonly string[];
}

/** From a program that is ready. */
export interface ProgramFacts {
  readonly ports: Ports;
  /** The watchdog writes its own lines like those of the program. */
  readonly log: LogStyle;
  readonly shutdownGraceMs: number;
  /** The names of the sockets that are to be held for the next one. */
  readonly sockets: readonly string[];
  /** Those of them from which processes accept that outlive the program: held also while no program starts. */
  readonly outlivedSockets: readonly string[];
}

/** A signal that the watchdog got, for the program. */
export interface PassedSignal {
  readonly signal: NodeJS.Signals;
}
