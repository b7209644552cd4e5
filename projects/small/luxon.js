import { DateTime, Interval } from 'luxon';

export default {
  fetch() {
    const at = DateTime.fromISO('2026-03-29T00:30:00', { zone: 'Europe/Berlin' });
    return Response.json({
      later: at.plus({ hours: 2 }).toISO(),
      text: at.setLocale('fr').toLocaleString(DateTime.DATE_FULL),
      days: Interval.fromDateTimes(at, at.plus({ weeks: 2 })).length('days'),
    });
  },
};
