import { AutoRouter, error, withParams } from 'itty-router';

const router = AutoRouter({ before: [withParams] });
router.get('/users/:id', ({ id, query }) => ({ id, query })).all('*', () => error(404, 'nothing here'));

export default router;
