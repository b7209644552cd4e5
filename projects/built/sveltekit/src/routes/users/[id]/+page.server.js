import { error } from '@sveltejs/kit';

export const load = ({ params }) => (params.id === '0' ? error(404, 'no such user') : { id: params.id });

export const actions = {
  default: async ({ request }) => ({ saved: (await request.formData()).get('name') }),
};
