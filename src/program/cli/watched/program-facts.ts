/** The messages between a watchdog and the program below it. */
import type { LogStyle } from '#base';
import type { Ports } from '#server';

/** For a starting program: the state of its predecessor, if there was one. */
export interface ProgramSetup {
  readonly before: ProgramFacts | undefined;
  /** The names of the sockets that it receives, in order. */
  readonly sockets: readonly string[];
}

/** From a program that is ready. */
export interface ProgramFacts {
  readonly ports: Ports;
  /** The watchdog formats its own lines like those of the program. */
  readonly log: LogStyle;
  readonly shutdownGraceMs: number;
  /** The names of the sockets to hold for the next program. */
  readonly sockets: readonly string[];
  /**
   * Those that are also accepted by processes which outlive the program: they are held even while no program starts.
   */
  readonly outlivedSockets: readonly string[];
}

/** A signal that the watchdog forwards to the program. */
export interface PassedSignal {
  readonly signal: NodeJS.Signals;
}
