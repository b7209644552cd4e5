import * as v from 'valibot';

const user = v.object({ name: v.pipe(v.string(), v.minLength(2)), mail: v.pipe(v.string(), v.email()) });

export default {
  async fetch(request) {
    const { success, output, issues } = v.safeParse(user, await request.json().catch(() => null));
    return Response.json(success ? output : issues.map(({ message }) => message), {
      status: success ? 201 : 422,
    });
  },
};
