import { createRouter } from '@tanstack/react-router';
// @ts-ignore: made by the build
import { routeTree } from './routeTree.gen';

export const getRouter = () => createRouter({ routeTree, scrollRestoration: true });
