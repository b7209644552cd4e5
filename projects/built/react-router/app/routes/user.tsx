import { data, redirect } from 'react-router';

export function loader({ params }: { params: { id: string } }) {
  if (params.id === 'me') return redirect('/users/5');
  if (params.id === '0') throw data('no such user', { status: 404 });
  return { id: params.id };
}

export async function action({ request }: { request: Request }) {
  const form = await request.formData();
  return { saved: form.get('name') };
}

export default function User({
  loaderData,
  actionData,
}: {
  loaderData: { id: string };
  actionData?: { saved: string };
}) {
  return <p>{actionData?.saved ?? loaderData.id}</p>;
}
