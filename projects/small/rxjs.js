import { delay, firstValueFrom, from, mergeMap, of, scan, toArray } from 'rxjs';

export default {
  fetch: async () =>
    Response.json(
      await firstValueFrom(
        from([3, 1, 2]).pipe(
          mergeMap((n) => of(n).pipe(delay(n * 5))),
          scan((sum, n) => sum + n, 0),
          toArray(),
        ),
      ),
    ),
};
