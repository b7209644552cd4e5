import { cookies, headers } from 'next/headers';

export async function GET(request) {
  const { searchParams } = request.nextUrl;
  return Response.json({
    a: searchParams.get('a'),
    agent: (await headers()).get('x-asked'),
    cookie: (await cookies()).get('c')?.value,
  });
}

export async function POST(request) {
  const { name } = await request.json();
  return Response.json({ saved: name }, { status: 201 });
}
