import { NextResponse } from 'next/server';

export function middleware() {
  return NextResponse.json({ from: 'the middleware' });
}

export const config = { matcher: '/guarded' };
