import { createFileRoute } from '@tanstack/react-router';
import { createServerFn } from '@tanstack/react-start';

const greet = createServerFn().handler(() => `hello from a server function`);

export const Route = createFileRoute('/')({
  loader: () => greet(),
  component: Home,
});

function Home() {
  return <h1>{Route.useLoaderData()}</h1>;
}
