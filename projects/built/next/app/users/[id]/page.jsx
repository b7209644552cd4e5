import { notFound, redirect } from 'next/navigation';

export default async function User({ params }) {
  const { id } = await params;
  if (id === '0') notFound();
  if (id === 'me') redirect('/users/5');
  return <p>{`user ${id}`}</p>;
}
