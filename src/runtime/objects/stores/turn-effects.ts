/** The effects of a turn on a database besides written pages. */
export interface TurnEffects {
  alarmTouched: boolean;
  /** The alarm after the turn, if the turn touched it. */
  alarm: number | null | undefined;
  /** The database starts over from nothing. */
  startsOver: boolean;
}

export function noEffects(): TurnEffects {
  return { alarmTouched: false, alarm: undefined, startsOver: false };
}
