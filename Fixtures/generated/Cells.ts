// broadsheet generate typescript --name Cells catalog.json; tag 92f6a24dfc951a6a; do not edit

/** By the schema /cellTypes/Offer/actions/take/input */
export interface OfferTakeInput {
    from: string;
}

/** The data of items, headers and footers, by their cell types. */
export interface CellData {
    Heading: unknown;
    Chip: unknown;
    Offer: unknown;
    Product: unknown;
    Line: unknown;
}

/** The name of a cell type. */
export type CellType = keyof CellData;

const cellTypes: readonly string[] = ["Heading", "Chip", "Offer", "Product", "Line"];

/** An item, a header or a footer of a cell type. */
export type CellOf<T extends CellType, I = {type: string}> =
    Omit<I, "type" | "data"> & {type: T; data: CellData[T]};

/** An item, a header or a footer of one of the cell types. */
export type Cell<I = {type: string}> = {[T in CellType]: CellOf<T, I>}[CellType];

/** Functions that draw items into elements, by their cell types. */
export type CellFunctions<E, I, S> = {
    [T in CellType]?: (element: E, item: CellOf<T, I>, section: S) => void;
};

/** Returns an item as one of its cell type; undefined for other types. */
export function cell<I extends {type: string}>(item: I): Cell<I> | undefined {
    return cellTypes.indexOf(item.type) < 0 ? undefined : item as unknown as Cell<I>;
}

/** The data of units, by their unit types. */
export interface UnitData {
    KINDS: unknown;
    OFFERS: unknown;
    PRODUCTS: unknown;
    BASKET: unknown;
}

/** The name of a unit type. */
export type UnitType = keyof UnitData;

/** Returns a unit as a page has it. */
export function unit<T extends UnitType>(
    type: T, data: UnitData[T]
): {unitType: T; unitData: UnitData[T]} {
    return {unitType: type, unitData: data};
}

/** The item, header or footer of an action, by ids or indexes. */
export type ActionTarget =
    | {section: string | number; item: string | number}
    | {section: string | number; view: "header" | "footer"};

/** An action as a client reports it. */
export interface ClientEvent {
    type: "action";
    name: string;
    section: string | number;
    item?: string | number;
    view?: "header" | "footer";
    input?: unknown;
}

function event(name: string, input: unknown, target: ActionTarget): ClientEvent {
    return {type: "action", name, ...target, ...(input === undefined ? {} : {input})};
}

/** The actions of cell types, by these. */
export const actions = {
    Offer: {
        /** The action take. */
        take: (input: OfferTakeInput, target: ActionTarget): ClientEvent =>
            event("take", input, target),
    },
} as const;

/** The names of cell types. */
export const CellType = {
    heading: "Heading",
    chip: "Chip",
    offer: "Offer",
    product: "Product",
    line: "Line",
} as const;

/** The names of unit types. */
export const UnitType = {
    kinds: "KINDS",
    offers: "OFFERS",
    products: "PRODUCTS",
    basket: "BASKET",
} as const;

/** The ids of sections. */
export const SectionID = {
    kinds: "kinds",
    offers: "offers",
    products: "products",
    basket: "basket",
} as const;

/** The names of parts, by their cell types. */
export const Parts = {
    Heading: {
        title: "title",
        more: "more",
    },
    Chip: {
        icon: "icon",
        label: "label",
        back: "back",
    },
    Offer: {
        title: "title",
        until: "until",
        code: "code",
        back: "back",
        photo: "photo",
        card: "card",
    },
    Product: {
        photo: "photo",
        badge: "badge",
        back: "back",
        title: "title",
        note: "note",
        was: "was",
        price: "price",
    },
    Line: {
        photo: "photo",
        title: "title",
        detail: "detail",
        price: "price",
    },
} as const;
