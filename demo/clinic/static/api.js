/** Asks the clinic's server. Rejects with an Error whose message can be shown to a person. */
async function ask(path, method = 'GET', body = undefined) {
  const response = await fetch(`/api/${path}`, {
    method,
    headers: body ? {'Content-Type': 'application/json'} : {},
    body: body ? JSON.stringify(body) : undefined,
  });
  const answer = response.status === 204 ? null : await response.json();
  if (!response.ok) {
    const detail = answer?.detail;
    throw new Error(typeof detail === 'string' ? detail : 'The server did not accept that.');
  }
  return answer;
}

export const PAGE_SIZE = 8;

export const find = (q, page) => ask(`patients?${new URLSearchParams({q, page, size: PAGE_SIZE})}`);
export const get = id => ask(`patients/${id}`);
export const save = (id, patient) =>
  id ? ask(`patients/${id}`, 'PUT', patient) : ask('patients', 'POST', patient);
export const remove = id => ask(`patients/${id}`, 'DELETE');
export const me = () => ask('me');
export const logIn = credentials => ask('login', 'POST', credentials);
export const logOut = () => ask('logout', 'POST');
