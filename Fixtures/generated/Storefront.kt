// broadsheet generate kotlin --name Storefront catalog.json; tag 2addbe9e1093a65a; do not edit

import kotlinx.serialization.json.JsonArray
import kotlinx.serialization.json.JsonElement
import kotlinx.serialization.json.JsonNull
import kotlinx.serialization.json.JsonObject
import kotlinx.serialization.json.JsonPrimitive

/** The types of the catalog. */
object Storefront {
    /** Data by its cell type. */
    sealed class Cell {
        /** The name of the cell type. */
        abstract val type: String

        /** The data as JSON. */
        abstract fun toJson(): JsonElement

        data class TopBannerCell(val data: JsonElement) : Storefront.Cell() {
            override val type get() = "TopBannerCell"
            override fun toJson(): JsonElement = data
        }

        data class ProductCell(val data: JsonElement) : Storefront.Cell() {
            override val type get() = "ProductCell"
            override fun toJson(): JsonElement = data
        }

        data class SectionHeaderView(val data: JsonElement) : Storefront.Cell() {
            override val type get() = "SectionHeaderView"
            override fun toJson(): JsonElement = data
        }

        data class MyFavoriteHeaderView(val data: JsonElement) : Storefront.Cell() {
            override val type get() = "MyFavoriteHeaderView"
            override fun toJson(): JsonElement = data
        }

        /** A cell type that this file does not have, or data that does not fit. */
        data class Unknown(override val type: String, val data: JsonElement) : Storefront.Cell() {
            override fun toJson(): JsonElement = data
        }

        companion object {
            /** Returns the data of a type; it never throws. */
            fun of(type: String, data: JsonElement): Storefront.Cell = try {
                when (type) {
                    "TopBannerCell" -> TopBannerCell(data)
                    "ProductCell" -> ProductCell(data)
                    "SectionHeaderView" -> SectionHeaderView(data)
                    "MyFavoriteHeaderView" -> MyFavoriteHeaderView(data)
                    else -> Unknown(type, data)
                }
            } catch (error: kotlin.IllegalArgumentException) {
                Unknown(type, data)
            }
        }
    }

    /** Data by its unit type. */
    sealed class Unit {
        /** The name of the unit type. */
        abstract val type: String

        /** The unit as a page has it. */
        abstract fun toJson(): JsonElement

        data class SsTopBanner(val data: JsonElement) : Storefront.Unit() {
            override val type get() = "SS_TOP_BANNER"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        data class SsProductList(val data: JsonElement) : Storefront.Unit() {
            override val type get() = "SS_PRODUCT_LIST"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        data class SsSectionTitle(val data: JsonElement) : Storefront.Unit() {
            override val type get() = "SS_SECTION_TITLE"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        data class SsMyFavorites(val data: JsonElement) : Storefront.Unit() {
            override val type get() = "SS_MY_FAVORITES"
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        /** A unit type that this file does not have, or data that does not fit. */
        data class Unknown(override val type: String, val data: JsonElement) : Storefront.Unit() {
            override fun toJson(): JsonElement = _object("unitType", this.type, "unitData", data)
        }

        companion object {
            /** Returns the data of a type; it never throws. */
            fun of(type: String, data: JsonElement): Storefront.Unit = try {
                when (type) {
                    "SS_TOP_BANNER" -> SsTopBanner(data)
                    "SS_PRODUCT_LIST" -> SsProductList(data)
                    "SS_SECTION_TITLE" -> SsSectionTitle(data)
                    "SS_MY_FAVORITES" -> SsMyFavorites(data)
                    else -> Unknown(type, data)
                }
            } catch (error: kotlin.IllegalArgumentException) {
                Unknown(type, data)
            }
        }
    }

    /** The names of cell types. */
    object CellType {
        const val TopBannerCell = "TopBannerCell"
        const val ProductCell = "ProductCell"
        const val SectionHeaderView = "SectionHeaderView"
        const val MyFavoriteHeaderView = "MyFavoriteHeaderView"
    }

    /** The names of unit types. */
    object UnitType {
        const val SsTopBanner = "SS_TOP_BANNER"
        const val SsProductList = "SS_PRODUCT_LIST"
        const val SsSectionTitle = "SS_SECTION_TITLE"
        const val SsMyFavorites = "SS_MY_FAVORITES"
    }

    /** The ids of sections. */
    object SectionID {
        const val MyFavorites = "MyFavorites"
        const val ProductList = "ProductList"
        const val TripleItems = "TripleItems"
    }

    private fun _object(
        type: String, typeName: String, data: String, value: JsonElement
    ): JsonObject {
        val members = LinkedHashMap<String, JsonElement>()
        members[type] = JsonPrimitive(typeName)
        members[data] = value
        return JsonObject(members)
    }
}
