import { defer } from '@remix-run/cloudflare';
import { Await, useLoaderData } from '@remix-run/react';
import { Suspense } from 'react';

export const loader = ({ context }: { context: { cloudflare: { env: { GREETING: string } } } }) =>
  defer({ greeting: context.cloudflare.env.GREETING, late: Promise.resolve('and what came later') });

export default function Home() {
  const { greeting, late } = useLoaderData<typeof loader>();
  return (
    <>
      <h1>{greeting}</h1>
      <Suspense fallback="soon">
        <Await resolve={late}>{(text) => <p>{text}</p>}</Await>
      </Suspense>
    </>
  );
}
