// The limit of the script of the first page: a page of one element.
import { createRoot } from 'react-dom/client'

createRoot(document.body).render(<main />)
