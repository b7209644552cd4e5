import { delay, firstValueFrom, from, concatMap, of, scan, toArray } from 'rxjs';

export default {
  fetch: async () =>
    Response.json(
      await firstValueFrom(
        from([3, 1, 2]).pipe(
          concatMap((n) => of(n).pipe(delay(n * 5))),
          scan((sum, n) => sum + n, 0),
          toArray(),
        ),
      ),
    ),
};
