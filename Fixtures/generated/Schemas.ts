// broadsheet generate typescript --name Schemas catalog.json; tag c8b9d32766ccd534; do not edit

/** By the schema /units/PRODUCTS/schema/$defs/product */
export interface Product {
    /** Pattern: ^P[0-9]+$ */
    id: string;
    price: number;
    title?: string;
}

/** The data of items, headers and footers, by their cell types. */
export interface CellData {
    Product: unknown;
}

/** The name of a cell type. */
export type CellType = keyof CellData;

const cellTypes: readonly string[] = ["Product"];

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
    PRODUCTS: Product[];
}

/** The name of a unit type. */
export type UnitType = keyof UnitData;

/** Returns a unit as a page has it. */
export function unit<T extends UnitType>(
    type: T, data: UnitData[T]
): {unitType: T; unitData: UnitData[T]} {
    return {unitType: type, unitData: data};
}

/** The names of cell types. */
export const CellType = {
    product: "Product",
} as const;

/** The names of unit types. */
export const UnitType = {
    products: "PRODUCTS",
} as const;
