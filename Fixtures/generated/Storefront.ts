// broadsheet generate typescript --name Storefront catalog.json; tag 2addbe9e1093a65a; do not edit

/** The data of items, headers and footers, by their cell types. */
export interface CellData {
    TopBannerCell: unknown;
    ProductCell: unknown;
    SectionHeaderView: unknown;
    MyFavoriteHeaderView: unknown;
}

/** The name of a cell type. */
export type CellType = keyof CellData;

const cellTypes: readonly string[] = [
    "TopBannerCell", "ProductCell", "SectionHeaderView", "MyFavoriteHeaderView"
];

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
    SS_TOP_BANNER: unknown;
    SS_PRODUCT_LIST: unknown;
    SS_SECTION_TITLE: unknown;
    SS_MY_FAVORITES: unknown;
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
    topBannerCell: "TopBannerCell",
    productCell: "ProductCell",
    sectionHeaderView: "SectionHeaderView",
    myFavoriteHeaderView: "MyFavoriteHeaderView",
} as const;

/** The names of unit types. */
export const UnitType = {
    ssTopBanner: "SS_TOP_BANNER",
    ssProductList: "SS_PRODUCT_LIST",
    ssSectionTitle: "SS_SECTION_TITLE",
    ssMyFavorites: "SS_MY_FAVORITES",
} as const;

/** The ids of sections. */
export const SectionID = {
    myFavorites: "MyFavorites",
    productList: "ProductList",
    tripleItems: "TripleItems",
} as const;
