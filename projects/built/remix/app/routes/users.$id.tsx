import { createCookieSessionStorage, json, redirect } from '@remix-run/cloudflare';
import { useActionData, useLoaderData } from '@remix-run/react';

const sessions = createCookieSessionStorage({ cookie: { name: 'session', secrets: ['a secret'] } });

export function loader({ params }: { params: { id?: string } }) {
  if (params.id === 'me') return redirect('/users/5');
  if (params.id === '0') throw new Response('no such user', { status: 404 });
  return json({ id: params.id });
}

export async function action({ request }: { request: Request }) {
  const form = await request.formData();
  const session = await sessions.getSession();
  session.set('name', form.get('name'));
  const cookie = await sessions.commitSession(session);
  return json({ saved: form.get('name') }, { headers: { 'set-cookie': cookie } });
}

export default function User() {
  const { id } = useLoaderData<typeof loader>();
  const saved = useActionData<typeof action>()?.saved;
  return <p>{String(saved ?? id)}</p>;
}
