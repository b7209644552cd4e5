/** What a turn has done to a database beside writing pages. */
export interface TurnEffects {
  alarmTouched: boolean;
  /** The alarm as the turn left it, if it touched it. */
  alarm: number | null | undefined;
  /** The database starts over from nothing. */
  startsOver: boolean;
}

export function noEffects(): TurnEffects {
  return { alarmTouched: false, alarm: undefined, startsOver: false };
}
